/** A path of this site, or the home page: no other address is followed. */
export function localPath(url) {
  return typeof url === "string" && /^\/(?![/\\])/.test(url) ? url : "/";
}
