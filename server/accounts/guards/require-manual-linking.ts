import type { AuthContext } from '../auth-context.ts'
import { AuthError } from '../wire/auth-error.ts'

/** @throws AuthError manual_linking_disabled if accounts may not be linked by hand */
export function requireManualLinking({ config }: Pick<AuthContext, 'config'>): void {
  if (!config.auth.manualLinking)
    throw new AuthError(404, 'manual_linking_disabled', 'Manual linking is disabled')
}
