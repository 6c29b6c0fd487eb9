import { readdir } from 'node:fs/promises'
import { expect, SIGNED_OUT, test, testApart } from '#tests/support/browser/browser.ts'

test.use({ session: SIGNED_OUT })

test('the page is secured on start', async ({ page, faults }) => {
  const response = await page.goto('/auth')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()

  await test.step('the content policy allows only the own origin and forbids framing (check 29)', async () => {
    const policy = response?.headers()['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'self'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('script'), { textContent: '1' }))`,
    )
    // The browser reports it twice, one after the other: by an event and on the console.
    const told: string[] = []
    const tellers = () => told.push(...faults.splice(0)) && told.map((fault) => fault.split(':', 1)[0])
    await expect.poll(tellers).toEqual(expect.arrayContaining(['content policy', 'console']))
    expect(told.join(' ')).toContain('script-src')
  })
  await test.step('the page may use no camera or other device, but the clipboard and passkeys', async () => {
    const allows = (feature: string) =>
      page.evaluate<boolean>(`document.featurePolicy.allowsFeature('${feature}')`)
    for (const feature of ['camera', 'microphone', 'geolocation', 'payment', 'usb'])
      expect({ feature, allowed: await allows(feature) }).toEqual({ feature, allowed: false })
    for (const feature of ['clipboard-write', 'publickey-credentials-get', 'publickey-credentials-create'])
      expect({ feature, allowed: await allows(feature) }).toEqual({ feature, allowed: true })
  })
  await test.step('the build contains no source maps, and no script names one', async () => {
    expect((await readdir('dist/web/assets')).filter((name) => name.includes('.map'))).toEqual([])
    const script = await page.locator('script[src^="/assets/"]').first().getAttribute('src')
    const text = await page.request.get(script ?? '').then((response) => response.text())
    expect(text).not.toContain('sourceMappingURL=')
  })
  await test.step('the context menu and the developer keys are blocked', async () => {
    await page.evaluate(`window.blocked = []; for (const type of ['contextmenu', 'keydown'])
      window.addEventListener(type, (event) => blocked.push([type, event.key ?? '', event.defaultPrevented].join(' ')))`)
    await page.getByRole('heading', { level: 1 }).click({ button: 'right' })
    for (const key of [
      'F12',
      'Control+Shift+I',
      'Control+Shift+C',
      'Control+U',
      'Control+Shift+K',
      'Control+I',
    ])
      await page.keyboard.press(key)
    const events = await page.evaluate<string[]>('blocked')
    expect(events.filter((event) => !/Control|Shift/.test(event))).toEqual([
      'contextmenu  true',
      'keydown F12 true',
      'keydown I true',
      'keydown C true',
      'keydown U true',
      'keydown K false',
      'keydown I false',
    ])
  })
  await test.step('the console stays silent', async () => {
    const lines: string[] = []
    page.on('console', (message) => lines.push(message.text()))
    await page.evaluate(`for (const name of Object.keys(console)) {
      if (typeof console[name] === 'function') console[name]('a line of the app')
    }`)
    // Another window's console is not silenced. Once its line has arrived, ours would have too.
    await page.evaluate(`{
      const frame = document.createElement('iframe')
      document.body.append(frame)
      frame.contentWindow.console.log('a line of the browser')
    }`)
    await expect.poll(() => lines).toEqual(['a line of the browser'])
  })
})

test.describe('on a touch screen', () => {
  testApart.use({ isMobile: true, hasTouch: true, viewport: { width: 390, height: 844 } })

  testApart('pinching does not zoom', async ({ page, context }) => {
    await page.goto('/auth')
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
    const devtools = await context.newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart?: number) => {
      const fingers = apart === undefined ? [] : [190 - apart, 190 + apart]
      const touchPoints = fingers.map((x, id) => ({ id, x, y: 300 }))
      return devtools.send('Input.dispatchTouchEvent', { type, touchPoints })
    }
    const pinch = async () => {
      await touch('touchStart', 10)
      for (let apart = 20; apart <= 130; apart += 10) await touch('touchMove', apart)
      await touch('touchEnd')
    }
    const scale = () => page.evaluate<number>('visualViewport.scale')
    await pinch()
    expect(await scale()).toBe(1)
    // The same gesture zooms if the page allows it, so the check above can fail.
    await page.evaluate("document.documentElement.style.touchAction = 'auto'")
    await pinch()
    await expect.poll(scale).toBeGreaterThan(1)
  })
})
