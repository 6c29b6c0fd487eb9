/** The not-found page is one file for every path; what was asked for is written into it as text. */
export function nameMissing() {
  const place = document.querySelector('#asked-path')
  if (place !== null) place.textContent = location.pathname
}
