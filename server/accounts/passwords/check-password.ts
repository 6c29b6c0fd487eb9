import { createHash } from 'node:crypto'
import {
  countCharacters,
  PASSWORD_WORDS,
  validatePassword,
  type PasswordFault,
} from '#core/domain/accounts/validate-password.ts'
import { askService } from '#core/http/ask-service.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError, validationFailed, type WeakPasswordReason } from '../wire/auth-error.ts'

/** docs/product.md §5 */
export const LONGEST_PASSWORD = 128
const TIMEOUT_MS = 3000

/** The wire's name for each broken rule. */
const REASONS: Readonly<Record<PasswordFault, WeakPasswordReason>> = {
  too_short: 'length',
  too_long: 'length',
  missing_character_class: 'characters',
  weak_pattern: 'patterns',
}

export interface PasswordFaults {
  messages: string[]
  reasons: WeakPasswordReason[]
}

/**
 * Judges a new password by the policy: the product's rules (docs/product.md §5) or its length alone, and if
 * configured, whether it appears in known leaks.
 * @throws AuthError validation_failed for one longer than 128 characters
 */
export async function judgePassword(
  { config, logger }: Pick<AuthContext, 'config' | 'logger'>,
  password: string,
): Promise<PasswordFaults> {
  const { minLength, rules, checkLeaked, leakedUrl } = config.auth.password
  if (rules === 'length' && countCharacters(password) > LONGEST_PASSWORD)
    throw validationFailed(`Password cannot be longer than ${LONGEST_PASSWORD} characters`)
  const faults = rules === 'product' ? validatePassword(password) : []
  const messages: string[] = faults.map((fault) => PASSWORD_WORDS[fault])
  const reasons = faults.map((fault) => REASONS[fault])
  if (countCharacters(password) < minLength && !reasons.includes('length')) {
    messages.unshift(`Password should be at least ${minLength} characters.`)
    reasons.unshift('length')
  }
  if (checkLeaked && (await isLeaked(leakedUrl, password, logger))) {
    messages.push('Password is known to be weak and easy to guess, please choose a different one.')
    reasons.push('pwned')
  }
  return { messages, reasons: [...new Set(reasons)] }
}

/** @throws AuthError weak_password with every reason */
export async function refuseWeakPassword(
  context: Pick<AuthContext, 'config' | 'logger'>,
  password: string,
): Promise<void> {
  const { messages, reasons } = await judgePassword(context, password)
  if (messages.length === 0) return
  const text = messages.map((message) => message.replace(/\.$/, '')).join('. ')
  throw new AuthError(422, 'weak_password', messages.length === 1 ? (messages[0] ?? text) : text, {
    weakPasswordReasons: reasons,
  })
}

/**
 * Sends only the first five digits of a SHA-1 (k-anonymity). If the service is away, no password is refused.
 */
async function isLeaked(url: string, password: string, logger: AuthContext['logger']): Promise<boolean> {
  const digest = createHash('sha1').update(password).digest('hex').toUpperCase()
  try {
    const answer = await askService({
      url: `${url}/range/${digest.slice(0, 5)}`,
      headers: { 'Add-Padding': 'true' },
      timeoutMs: TIMEOUT_MS,
    })
    return answer
      .split(/\r?\n/)
      .some((line) => line.startsWith(`${digest.slice(5)}:`) && !line.endsWith(':0'))
  } catch {
    logger.warn('the list of leaked passwords could not be asked; the password was taken')
    return false
  }
}
