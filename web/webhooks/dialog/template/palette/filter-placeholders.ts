import type { PaletteEntry } from './list-entries.ts'

export interface PlaceholderGroup {
  group: PaletteEntry['group']
  items: PaletteEntry[]
}

/**
 * Returns placeholders whose name or description contains every word of `search`, in their groups, without
 * empty groups.
 */
export function filterPlaceholders(all: readonly PaletteEntry[], search: string): PlaceholderGroup[] {
  const words = search
    .toLowerCase()
    .split(/[\s{}|]+/)
    .filter((word) => word !== '')
  const groups: PlaceholderGroup[] = []
  for (const placeholder of all) {
    const text = `${placeholder.name} ${placeholder.description} ${placeholder.group}`.toLowerCase()
    if (!words.every((word) => text.includes(word))) continue
    const group = groups.find((one) => one.group === placeholder.group)
    if (group === undefined) groups.push({ group: placeholder.group, items: [placeholder] })
    else group.items.push(placeholder)
  }
  return groups
}

/**
 * Returns the entry that an arrow key moves to, wrapping around; undefined for another key or an empty list.
 */
export function stepThrough(
  names: readonly string[],
  current: string | null,
  key: string,
): string | undefined {
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined
  const at = current === null ? -1 : names.indexOf(current)
  if (key === 'ArrowDown') return names[at + 1] ?? names[0]
  return at > 0 ? names[at - 1] : names.at(-1)
}
