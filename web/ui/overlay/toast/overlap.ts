/** Boxes closer than this count as overlapping, in px. */
const NEAR = 16

/** True if two boxes overlap, or nearly. */
export function overlap(one: DOMRect, other: DOMRect) {
  return (
    one.left < other.right + NEAR &&
    other.left < one.right + NEAR &&
    one.top < other.bottom + NEAR &&
    other.top < one.bottom + NEAR
  )
}
