/** The known name that a mistyped one most likely means, or undefined if none is near (two slips at most). */
export function suggestName(unknown: string, known: readonly string[]): string | undefined {
  const name = unknown.trim().toLowerCase()
  const limit = name.length < 4 ? 1 : 2
  const near = known
    // A name may be as long as a request; comparing it letter by letter with each known name would take seconds.
    .filter((candidate) => Math.abs(candidate.length - name.length) <= limit)
    .map((candidate) => ({ candidate, slips: countSlips(name, candidate.toLowerCase()) }))
    .filter(({ slips }) => slips <= limit)
    .toSorted((a, b) => a.slips - b.slips)
  return near[0]?.candidate
}

/** Edit distance in which swapping two neighbours counts once (optimal string alignment). */
function countSlips(a: string, b: string): number {
  let twoBack: number[] = []
  let back = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const changed = at(back, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const best = Math.min(changed, at(back, j) + 1, at(row, j - 1) + 1)
      row.push(swapped ? Math.min(best, at(twoBack, j - 2) + 1) : best)
    }
    twoBack = back
    back = row
  }
  return at(back, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
