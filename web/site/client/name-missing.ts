/** Writes the requested path into the not-found page as text, because one file serves every path. */
export function nameMissing() {
  const place = document.querySelector('#asked-path')
  if (place !== null) place.textContent = location.pathname
}
