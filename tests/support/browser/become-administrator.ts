import type { Page } from '@playwright/test'
import { beginSession } from './browser.ts'
import { readEnvironment } from './e2e-environment.ts'

/** Signs the administrator in in this browser. */
export async function becomeAdministrator(page: Page): Promise<void> {
  const { admin, server } = readEnvironment()
  const response = await fetch(`${server}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  await beginSession(page, await response.text())
}
