"""In which language an answer is made: that of its address, or for addresses without, the reader's.

Instead of Django's own LocaleMiddleware, which answers in English wherever the address has no
language: also the API.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin

from players import languages


class LanguageOfAddress(MiddlewareMixin):
    """Speaks the language of ``/tr/…``, English without one; in the API and the admin the one that
    the reader's cookie or browser names.
    """

    def process_request(self, request: HttpRequest) -> None:
        path = request.path_info
        neutral = languages.is_neutral(path)
        code = languages.of_browser(request) if neutral else languages.parted(path)[0]
        translation.activate(code)
        request.LANGUAGE_CODE = code

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if languages.is_neutral(request.path_info):
            patch_vary_headers(response, ("Accept-Language",))
        response.headers.setdefault("Content-Language", translation.get_language() or "en")
        return response
