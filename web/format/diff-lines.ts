/** One line of a diff: in both texts, only in the first, or only in the second. */
export interface DiffLine {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** Longer texts are not matched line by line, because the table grows with the product of their lengths. */
const MOST_LINES = 1000

/** Compares the lines of two texts by their longest common subsequence. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  if (before.length > MOST_LINES || after.length > MOST_LINES) {
    return [...before.map(line('removed')), ...after.map(line('added'))]
  }
  const common = measureCommon(before, after)
  const lines: DiffLine[] = []
  let at = 0
  let to = 0
  while (at < before.length || to < after.length) {
    const old = before[at]
    const now = after[to]
    if (old !== undefined && old === now) {
      lines.push({ kind: 'same', text: old })
      at += 1
      to += 1
    } else if (
      old !== undefined &&
      (now === undefined || length(common, at + 1, to) >= length(common, at, to + 1))
    ) {
      lines.push({ kind: 'removed', text: old })
      at += 1
    } else {
      lines.push({ kind: 'added', text: now ?? '' })
      to += 1
    }
  }
  return lines
}

const line =
  (kind: DiffLine['kind']) =>
  (text: string): DiffLine => ({ kind, text })

/** `[i][j]`: length of the longest common subsequence of `before` from i and `after` from j. */
function measureCommon(before: readonly string[], after: readonly string[]): number[][] {
  const table: number[][] = Array.from({ length: before.length + 1 }, () => [])
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const row = table[i]
      if (row === undefined) continue
      row[j] =
        before[i] === after[j]
          ? length(table, i + 1, j + 1) + 1
          : Math.max(length(table, i + 1, j), length(table, i, j + 1))
    }
  }
  return table
}

function length(table: readonly (readonly number[])[], i: number, j: number): number {
  return table[i]?.[j] ?? 0
}
