import { refuseTexts } from '#core/domain/refuse-text.ts'
import { validationFailed } from './auth-error.ts'

/**
 * Refuses text that cannot be stored as it came. Addresses, codes and roles have stricter rules and texts of
 * their own.
 * @throws AuthError validation_failed, which names the member
 */
export function refuseUnfitText(given: object): void {
  const [fault] = refuseTexts(given)
  if (fault === undefined) return
  const where = `${fault.path}: ${fault.message}`
  throw validationFailed(`The request contains characters that cannot be stored (${where})`)
}
