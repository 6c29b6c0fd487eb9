/** A delivery that cannot be sent for what it or its configuration holds: whoever tries again fails again. */
export class DeliveryFault extends Error {
  override readonly name = 'DeliveryFault'
}

/** Runs what depends on the delivery's own data alone. @throws DeliveryFault with the failure as its cause */
export function blameDelivery<Result>(what: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw new DeliveryFault(`${what} failed`, { cause: error })
  }
}
