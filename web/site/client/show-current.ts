/** Scrolls a long menu to the current page; the page itself stays at its top. */
export function showCurrent() {
  for (const link of document.querySelectorAll<HTMLElement>('nav a[aria-current="page"]')) {
    const frame = link.closest<HTMLElement>('.menu-frame')
    if (frame !== null) frame.scrollTop = link.offsetTop - frame.clientHeight / 2
  }
}
