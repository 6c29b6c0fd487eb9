/** A delivery that cannot be sent because of its content or its configuration's: every try fails in the same way. */
export class DeliveryFault extends Error {
  override readonly name = 'DeliveryFault'
}

/**
 * Runs code that depends on the delivery's own data alone.
 * @throws DeliveryFault with the failure as its cause
 */
export function blameDelivery<Result>(what: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw new DeliveryFault(`${what} failed`, { cause: error })
  }
}
