import { parseCents } from '#core/domain/market/cents.ts'
import { AppError } from '#core/errors.ts'

/**
 * Nothing is sold below the floor of its type (docs/product.md §10).
 * @param path the field that is refused
 * @throws AppError validation_failed
 */
export function refusePrice(price: string, floor: string, path = 'price'): void {
  if ((parseCents(price) ?? 0) >= (parseCents(floor) ?? 0)) return
  const message =
    path === 'price' ? `Must be at least the floor price, $${floor}` : `Must be at most the price, $${price}`
  throw refuseField(path, message)
}

/** One fault of a body that its schema cannot see. */
export function refuseField(path: string, message: string): AppError {
  return new AppError('validation_failed', 'The body has 1 fault(s).', { errors: [{ path, message }] })
}
