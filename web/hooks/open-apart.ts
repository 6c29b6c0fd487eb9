/** Whether a press means a tab of its own, as it does of a link: with Ctrl, or ⌘ of a Mac. */
export function isMeantApart({ ctrlKey, metaKey }: { ctrlKey: boolean; metaKey: boolean }): boolean {
  return ctrlKey || metaKey
}

/** Opens a screen in a tab of its own; this one stays as it is. */
export function openApart(path: string): void {
  window.open(path, '_blank', 'noopener')
}
