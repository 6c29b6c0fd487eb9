/** True if a click asks for a new tab, as on a link: with Ctrl, or ⌘ on a Mac. */
export function isMeantApart({ ctrlKey, metaKey }: { ctrlKey: boolean; metaKey: boolean }): boolean {
  return ctrlKey || metaKey
}

/** Opens a screen in a new tab; this one stays as it is. */
export function openApart(path: string): void {
  window.open(path, '_blank', 'noopener')
}
