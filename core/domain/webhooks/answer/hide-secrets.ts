import { DOTS } from '../mask-credentials.ts'

/**
 * Characters by which a secret is found. A search for more of them may be made to compare nearly all of them at each place of the
 * text: thirty headers of 4,096 letters took a worker's one thread a second, for each delivery.
 */
const HEAD = 64

/**
 * Finds secrets in a text, in time that grows with the text alone: whatever begins as one of them does is hidden as far as it goes
 * on like it, so that one that is cut off is hidden too.
 * @param secrets none of them empty
 * @returns the text with dots in their place
 */
export function createHider(secrets: readonly string[]): (text: string) => string {
  const longestFirst = [...new Set(secrets)].toSorted((a, b) => b.length - a.length)
  const byHead = Map.groupBy(longestFirst, (secret) => secret.slice(0, HEAD))
  return (text) => {
    let isHidden: Uint8Array | undefined
    for (const [head, alike] of byHead) {
      let at = text.indexOf(head)
      while (at !== -1) {
        isHidden ??= new Uint8Array(text.length)
        const end = endOfLikeness(text, at, alike)
        isHidden.fill(1, at, end)
        at = text.indexOf(head, end)
      }
    }
    return isHidden === undefined ? text : writeDots(text, isHidden)
  }
}

/** How far a text goes on like one of the secrets, all of which begin as it does at this place. */
function endOfLikeness(text: string, at: number, longestFirst: readonly string[]): number {
  let most = 0
  for (const secret of longestFirst) {
    if (secret.length <= most) break
    let length = Math.min(HEAD, secret.length)
    while (length < secret.length && text.charCodeAt(at + length) === secret.charCodeAt(length)) length += 1
    most = Math.max(most, length)
  }
  return at + most
}

function writeDots(text: string, isHidden: Uint8Array): string {
  let written = ''
  let from = isHidden.indexOf(1)
  let shown = 0
  while (from !== -1) {
    written += text.slice(shown, from) + DOTS
    shown = endOfHidden(isHidden, from)
    from = isHidden.indexOf(1, shown)
  }
  return written + text.slice(shown)
}

function endOfHidden(isHidden: Uint8Array, from: number): number {
  const end = isHidden.indexOf(0, from)
  return end === -1 ? isHidden.length : end
}
