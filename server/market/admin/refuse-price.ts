import { parseCents } from '#core/domain/market/cents.ts'
import { AppError } from '#core/errors.ts'

/**
 * Nothing is sold below the floor price of its type (docs/product.md §10).
 * @param path the refused field
 * @throws AppError validation_failed
 */
export function refusePrice(price: string, floor: string, path = 'price'): void {
  if ((parseCents(price) ?? 0) >= (parseCents(floor) ?? 0)) return
  const message =
    path === 'price' ? `Must be at least the floor price, $${floor}` : `Must be at most the price, $${price}`
  throw refuseField(path, message)
}

/** A fault of one field that the schema of the body cannot detect. */
export function refuseField(path: string, message: string): AppError {
  return new AppError('validation_failed', 'The body has 1 fault(s).', { errors: [{ path, message }] })
}
