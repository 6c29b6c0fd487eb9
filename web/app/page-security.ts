const BLOCKED = new Set(['f12', 'ctrl+shift+i', 'ctrl+shift+c', 'ctrl+u'])

/** Blocks the context menu and the keys of docs/product.md §7. Pinch-zoom is switched off in styles.css. */
export function securePage(target: Document) {
  target.addEventListener('contextmenu', (event) => event.preventDefault())
  target.addEventListener('keydown', (event) => {
    if (BLOCKED.has(combination(event))) event.preventDefault()
  })
}

function combination(event: KeyboardEvent) {
  const held = [
    event.ctrlKey && 'ctrl',
    event.altKey && 'alt',
    event.metaKey && 'meta',
    event.shiftKey && 'shift',
  ]
  return [...held, event.key.toLowerCase()].filter(Boolean).join('+')
}
