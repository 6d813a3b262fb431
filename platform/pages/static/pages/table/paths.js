/** The site's first page in the language of this one: "/", "/tr/". */
const home = () => document.getElementById("table")?.dataset.root ?? "/";

/** A path of this site, or the home page: no other address is followed. */
export function localPath(url) {
  return typeof url === "string" && /^\/(?![/\\])/.test(url) ? url : home();
}

/** The page of a table, or what is `inside` it. */
export function tablePath(match, inside = "") {
  return `${home()}t/${encodeURIComponent(match)}${inside}`;
}
