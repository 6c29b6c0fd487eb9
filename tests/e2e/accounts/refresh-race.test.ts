import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from '@playwright/test'
import { expect, SIGNED_OUT, test } from '#tests/support/browser/browser.ts'
import { runSql, type E2eClient } from '#tests/support/browser/e2e-client.ts'

const TABS = 20
const STORAGE_KEY = 'race'
/** The unmodified client, as a page without a bundler loads it. */
const CLIENT = new URL('umd/supabase.js', import.meta.resolve('@supabase/supabase-js'))
const START = `window.auth = new supabase.AuthClient({ url: location.origin + '/auth/v1', storageKey: '${STORAGE_KEY}',
  persistSession: true, autoRefreshToken: false, detectSessionInUrl: false })`

test.use({ session: SIGNED_OUT })

test('twenty tabs that refresh at once all stay signed in, in one session', async ({ client, context }) => {
  await serveBarePage(context)
  const first = await openTab(context)
  await first.evaluate(`localStorage.setItem('${STORAGE_KEY}', ${JSON.stringify(asleep(client))})`)
  const tabs = [first]
  while (tabs.length < TABS) tabs.push(await openTab(context))
  await Promise.all(tabs.map((tab) => tab.evaluate(START)))

  await test.step('a session that ran out while the computer slept', async () => {
    await expectAllSignedIn(tabs, client, `auth.getSession()`)
  })
  for (const wave of ['once', 'again']) {
    await test.step(`all tabs refresh together, ${wave}`, async () => {
      // A tab whose answer comes after another tab's keeps the other's session and reports it.
      const faults = await inAll<string | undefined>(
        tabs,
        `auth.refreshSession().then(({ error }) => error?.name)`,
      )
      expect(faults).toContain(undefined)
      const others = faults.filter((name) => name !== undefined && name !== 'AuthRefreshDiscardedError')
      expect(others).toEqual([])
      await expectAllSignedIn(tabs, client, `auth.getSession()`)
    })
  }
  await test.step('every tab reaches the service, and the stored session is valid', async () => {
    const users = await inAll<{ data: { user: { id: string } | null } }>(tabs, `auth.getUser()`)
    expect(users.map(({ data }) => data.user?.id)).toEqual(tabs.map(() => client.id))
    const fresh = await openTab(context)
    await fresh.evaluate(START)
    await expectAllSignedIn([fresh], client, `auth.refreshSession()`)
  })
  await test.step('the database has one session with one current token', async () => {
    const sessions = await runSql(`select id from auth.sessions where user_id = $1`, [client.id])
    expect(sessions).toHaveLength(1)
    const current = await runSql(
      `select t.id from auth.refresh_tokens t join auth.sessions s on s.id = t.session_id
       where s.user_id = $1 and t.replaced_at is null`,
      [client.id],
    )
    expect(current).toHaveLength(1)
    const alarms = await runSql(
      `select action from auth.audit_log where user_id = $1 and action = 'token_reuse_detected'`,
      [client.id],
    )
    expect(alarms).toEqual([])
  })
})

/** Returns the client's stored session as it would be after an hour. */
function asleep(client: E2eClient): string {
  const session = JSON.parse(client.session) as Record<string, unknown>
  return JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) - 60 })
}

/**
 * Serves a page of the product's origin with only the client on it, because the app's own tabs would refresh
 * too.
 */
async function serveBarePage(context: BrowserContext): Promise<void> {
  const script = await readFile(fileURLToPath(CLIENT), 'utf8')
  await context.route('**/race.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  )
  await context.route('**/race.html', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><script src="/race.js"></script>' }),
  )
}

async function openTab(context: BrowserContext): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto('/race.html')
  return tab
}

function inAll<Answer>(tabs: readonly Page[], expression: string): Promise<Answer[]> {
  return Promise.all(tabs.map((tab) => tab.evaluate<Answer>(expression)))
}

async function expectAllSignedIn(
  tabs: readonly Page[],
  client: E2eClient,
  expression: string,
): Promise<void> {
  const answers = await inAll<{
    error: { message: string } | null
    data: { session: { user: { id: string }; expires_at: number } | null }
  }>(tabs, `${expression}.then(({ data, error }) => ({ data, error: error && { message: error.message } }))`)
  expect(answers.map(({ error }) => error?.message)).toEqual(tabs.map(() => undefined))
  expect(answers.map(({ data }) => data.session?.user.id)).toEqual(tabs.map(() => client.id))
  for (const { data } of answers) expect(data.session?.expires_at).toBeGreaterThan(Date.now() / 1000)
}
