import { expect, SIGNED_OUT, test } from '#tests/support/browser/browser.ts'

// The second test must run after the first, on the same page.
test.describe.configure({ mode: 'default' })
test.use({ session: SIGNED_OUT })

const STORED = `(async () => [document.cookie, window.name, localStorage.length, sessionStorage.length,
  (await indexedDB.databases()).length])()`

test('the shared page of the browser tests refuses actions that cannot be undone', async ({
  page,
  context,
}) => {
  const refusals = [
    () => page.addInitScript('1'),
    () => page.clock.install(),
    () => page.exposeFunction('answer', () => 42),
    () => context.setExtraHTTPHeaders({}),
    () => page.close(),
  ]
  for (const refusal of refusals) expect(refusal).toThrow('this page is kept for other tests')

  // Everything below is left behind on the page.
  await page.goto('/healthz')
  await page.evaluate(`document.cookie = 'left=1'
    window.name = 'left'
    localStorage.setItem('left', '1')
    sessionStorage.setItem('left', '1')
    new Promise((resolve) => { indexedDB.open('left').onsuccess = resolve })`)
  expect(await page.evaluate(STORED)).toEqual(['left=1', 'left', 1, 1, 1])
  await context.newPage()
  await context.route('**/healthz', (route) => route.abort())
  await page.route('**/healthz', (route) => route.abort())
  page.on('request', () => {
    throw new Error('A listener of another test is still there')
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'no-preference' })
  await context.grantPermissions(['clipboard-read'])
  await context.setOffline(true)
})

test('the shared page is clean for the next test', async ({ page, context }) => {
  expect((await page.goto('/healthz'))?.status()).toBe(200)
  expect(await page.evaluate(STORED)).toEqual(['', '', 0, 0, 0])
  expect(context.pages()).toEqual([page])
  expect(page.viewportSize()).toEqual({ width: 1280, height: 800 })
  const media = `['(prefers-color-scheme: light)', '(prefers-reduced-motion: reduce)']`
  expect(await page.evaluate(`${media}.map((query) => matchMedia(query).matches)`)).toEqual([true, true])
  const asked = `navigator.permissions.query({ name: 'clipboard-read' }).then(({ state }) => state)`
  expect(await page.evaluate(asked)).not.toBe('granted')
})
