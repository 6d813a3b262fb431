"""The site's languages: which there are, their catalogues, and what is kept in step with them."""
