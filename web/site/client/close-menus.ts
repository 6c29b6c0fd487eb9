/** Closes a menu, which the browser itself opens, at Escape and at a click elsewhere. */
export function closeMenus() {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.site-menu')) {
    document.addEventListener('pointerdown', ({ target }) => {
      if (target instanceof Node && !menu.contains(target)) menu.open = false
    })
    menu.addEventListener('keydown', ({ key }) => {
      if (key !== 'Escape' || !menu.open) return
      menu.open = false
      menu.querySelector('summary')?.focus()
    })
  }
}
