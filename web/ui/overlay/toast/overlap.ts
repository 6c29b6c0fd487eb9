/** So close that one would be read over the other, in px. */
const NEAR = 16

/** Whether two boxes of the window lie over each other, or nearly. */
export function overlap(one: DOMRect, other: DOMRect) {
  return (
    one.left < other.right + NEAR &&
    other.left < one.right + NEAR &&
    one.top < other.bottom + NEAR &&
    other.top < one.bottom + NEAR
  )
}
