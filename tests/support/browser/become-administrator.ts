import type { Page } from '@playwright/test'
import { beginSession } from './browser.ts'
import { readEnvironment, type Account } from './e2e-environment.ts'

/**
 * Signs the administrator in in this browser.
 * @param of another product than the run's own
 * @returns the token of the session
 */
export async function becomeAdministrator(
  page: Page,
  of: { admin: Account; server: string } = readEnvironment(),
): Promise<string> {
  const response = await fetch(`${of.server}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(of.admin),
  })
  const session = await response.text()
  await beginSession(page, session, of.server)
  return (JSON.parse(session) as { access_token: string }).access_token
}
