import type { Page } from '@playwright/test'
import { expect, SIGNED_OUT, test, toast } from '#tests/support/browser/browser.ts'
import { GOOD_PASSWORD, newEmail, signUpClient } from '#tests/support/browser/e2e-client.ts'
import { readEvents, readEventTypes } from '#tests/support/browser/security-records.ts'

test.use({ session: SIGNED_OUT })

async function signIn(page: Page, email: string, password: string) {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
const read = <Value>(page: Page, storage: 'sessionStorage' | 'localStorage', key: string) =>
  page.evaluate<Value>(`JSON.parse(${storage}.getItem("${key}"))`)
const tokenOf = (page: Page) => page.evaluate<string>('sessionStorage.getItem("csrf_token")')

test('a session is recorded in the browser when it begins, and removed when it ends', async ({ page }) => {
  const client = await signUpClient()
  await page.goto('/auth')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  const token = await tokenOf(page)
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  const identifier = await page.evaluate<string | null>('sessionStorage.getItem("client_id")')
  await signIn(page, client.email, GOOD_PASSWORD)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()

  await test.step('the tab records the session', async () => {
    const record = await read<Record<string, unknown>>(page, 'sessionStorage', 'session_security')
    expect(Object.keys(record).toSorted()).toEqual(
      ['fingerprint', 'lastActivity', 'loginTime', 'sessionId', 'userAgent', 'userId'].toSorted(),
    )
    expect(record).toMatchObject({ userId: client.id })
    expect(String(record['userAgent']).length).toBeLessThanOrEqual(100)
  })
  await test.step('the browser lists the session', async () => {
    const lists = await read<Record<string, Array<{ userAgent: string }>>>(
      page,
      'localStorage',
      'concurrent_sessions',
    )
    expect(lists[client.id]).toHaveLength(1)
    expect(lists[client.id]?.[0]?.userAgent.length).toBeLessThanOrEqual(50)
  })
  await test.step('a reload records no new session', async () => {
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    expect(await readEventTypes(page)).toEqual(['login_success'])
  })
  await page.getByRole('button', { name: 'Profile' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(toast(page, 'Signed out successfully')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
  const events = await readEvents(page)
  expect(events.map(({ type, severity }) => `${type} ${severity}`)).toEqual([
    'login_success low',
    'logout low',
  ])
  expect(events[0]?.url).toBe(new URL('/auth', page.url()).href)
  expect(JSON.stringify(events)).not.toContain(client.email)
  expect(await page.evaluate('sessionStorage.getItem("session_security")')).toBeNull()
  expect(await read(page, 'localStorage', 'concurrent_sessions')).toEqual({})
  const fresh = await tokenOf(page)
  expect(fresh).toMatch(/^[0-9a-f]{64}$/)
  expect(fresh).not.toBe(token)
  expect(identifier === null || /^[0-9a-f]{32}$/.test(identifier)).toBe(true)
})

test('at most three sessions are tracked, none older than a day', async ({ page }) => {
  const client = await signUpClient()
  await page.goto('/auth')
  const now = Date.now()
  const entry = (sessionId: string, hours: number) => ({
    sessionId,
    timestamp: now - hours * 3_600_000,
    userAgent: 'Chrome',
  })
  const kept = { [client.id]: [entry('old', 25), entry('first', 3), entry('second', 2), entry('third', 1)] }
  await page.evaluate(`localStorage.setItem("concurrent_sessions", ${JSON.stringify(JSON.stringify(kept))})`)
  await signIn(page, client.email, GOOD_PASSWORD)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  const lists = await read<Record<string, Array<{ sessionId: string }>>>(
    page,
    'localStorage',
    'concurrent_sessions',
  )
  const ids = lists[client.id]?.map(({ sessionId }) => sessionId)
  expect(ids).toHaveLength(3)
  expect(ids?.slice(0, 2)).toEqual(['second', 'third'])
})

test('a form whose anti-forgery token is not the stored one is refused', async ({ page }) => {
  const client = await signUpClient()
  const calls: string[] = []
  page.on('request', (request) => {
    if (/\/auth\/v1\/(token|signup)|create-secure-account/.test(request.url())) calls.push(request.url())
  })
  await page.goto('/auth')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await page.evaluate('sessionStorage.setItem("csrf_token", "0".repeat(64))')
  await signIn(page, client.email, GOOD_PASSWORD)
  await expect(page.getByRole('alert')).toHaveText('Security validation failed')
  expect(calls).toEqual([])
  expect(await readEvents(page)).toMatchObject([{ type: 'suspicious_request', severity: 'high' }])
  await test.step('sign-up is refused in the same way', async () => {
    await page.evaluate('sessionStorage.removeItem("csrf_token")')
    await page.getByRole('tab', { name: 'Sign up' }).click()
    await page.getByRole('textbox', { name: 'Email' }).fill(newEmail())
    await page.getByRole('textbox', { name: 'Password' }).fill(GOOD_PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('alert')).toHaveText('Security validation failed')
    expect(calls).toEqual([])
  })
  await test.step('the next try has a new token', async () => {
    await page.getByRole('tab', { name: 'Sign in' }).click()
    await signIn(page, client.email, GOOD_PASSWORD)
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  })
})

test('five failed sign-ins within five minutes raise one alert', async ({ page }) => {
  const { email } = await signUpClient()
  await page.goto('/auth')
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await signIn(page, email, `Wrong-Lantern-${attempt}`)
    await expect
      .poll(async () => (await readEventTypes(page)).filter((type) => type === 'failed_login').length)
      .toBe(attempt)
  }
  const events = await readEvents(page)
  expect(events.map(({ type, severity }) => `${type} ${severity}`)).toEqual([
    ...Array.from({ length: 5 }, () => 'failed_login medium'),
    'security_alert critical',
  ])
  expect(events.at(-1)?.details).toMatchObject({ cause: 'failed_login' })
})

test('the log keeps a thousand events, and an unreachable monitor does no harm', async ({ page }) => {
  const { email } = await signUpClient()
  await page.route('**/functions/v1/security-monitoring', (route) => route.abort())
  await page.goto('/auth')
  await page.evaluate(`localStorage.setItem('security_events', JSON.stringify(Array.from({ length: 1000 }, () => ({
    id: crypto.randomUUID(), type: 'logout', timestamp: '2026-01-01T00:00:00.000Z', userAgent: '', url: '',
    details: {}, severity: 'low' }))))`)
  await signIn(page, email, 'Wrong-Lantern-1')
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password')
  const events = await readEvents(page)
  expect(events).toHaveLength(1000)
  expect(events.at(-1)?.type).toBe('failed_login')
})

test('a sign-out that the service fails shows a message', async ({ page }) => {
  const client = await signUpClient()
  await page.goto('/auth')
  await signIn(page, client.email, GOOD_PASSWORD)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await page.route('**/auth/v1/logout**', (route) =>
    route.fulfill({ status: 500, json: { message: 'down' } }),
  )
  await page.getByRole('button', { name: 'Profile' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(toast(page, 'Error signing out')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
})
