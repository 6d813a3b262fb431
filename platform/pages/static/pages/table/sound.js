/** Short tones made by the browser itself, and a buzz. Silent until the page has been touched or a key pressed. */

// Each sound as tones: [pitch in Hz, start and length in seconds, loudness, form of the wave].
const TONES = {
  soundTurn: [[660, 0, 0.16, 0.14, "sine"], [880, 0.14, 0.22, 0.14, "sine"]],
  soundTile: [[190, 0, 0.05, 0.3, "triangle"], [1250, 0, 0.02, 0.06, "square"]],
  soundScore: [[784, 0, 0.12, 0.12, "sine"], [988, 0.1, 0.12, 0.12, "sine"], [1175, 0.2, 0.25, 0.12, "sine"]],
  soundLow: [[1000, 0, 0.06, 0.12, "square"]],
};
const BUZZ = 120; // milliseconds

export class Sound {
  constructor(preferences) {
    this.preferences = preferences;
    this.audio = null;
    const wake = () => {
      for (const kind of ["pointerdown", "keydown"]) removeEventListener(kind, wake);
      this.wake();
    };
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, wake);
  }

  /** Browsers let a page sound once its reader has done something. */
  wake() {
    try {
      this.audio = new AudioContext();
    } catch {
      // a device without sound
    }
  }

  /** Plays a sound by the name of its switch, if that is on. */
  play(name) {
    if (!this.audio || !this.preferences[name]) return;
    for (const [pitch, after, length, loudness, form] of TONES[name]) {
      const at = this.audio.currentTime + after;
      const tone = this.audio.createOscillator();
      const volume = this.audio.createGain();
      tone.type = form;
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(loudness, at);
      volume.gain.exponentialRampToValueAtTime(0.001, at + length);
      tone.connect(volume).connect(this.audio.destination);
      tone.start(at);
      tone.stop(at + length);
    }
  }

  buzz() {
    if (this.audio && this.preferences.vibrate) navigator.vibrate?.(BUZZ);
  }
}
