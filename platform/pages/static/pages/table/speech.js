/** What a screen reader is told: news politely, the player's own turn and the last seconds at once. */

export class Speech {
  constructor(polite, assertive) {
    this.polite = polite;
    this.assertive = assertive;
  }

  tell(sentence) {
    repeat(this.polite, sentence);
  }

  alert(sentence) {
    repeat(this.assertive, sentence);
  }
}

/** A region that gets the same text again says nothing: an invisible mark makes it new. */
function repeat(region, sentence) {
  region.textContent = region.textContent === sentence ? `${sentence}\u00a0` : sentence;
}
