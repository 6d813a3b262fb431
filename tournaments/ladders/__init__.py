"""Challenge ladders: climb by beating those who stand higher. No event, and no end."""
