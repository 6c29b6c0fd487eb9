import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'
import type { Account } from '../start/demo-session.ts'
import { findChromium } from '../test/find-chromium.ts'

export async function openBrowser(): Promise<Browser> {
  const executablePath = await findChromium(process.env['CHROMIUM_PATH'])
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-sync'] })
}

/** A context in which `account` has signed in through the form. */
export async function signIn(browser: Browser, url: string, account: Account): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto('/auth')
  await page.getByLabel('Email').first().fill(account.email)
  await page.getByLabel('Password', { exact: true }).first().fill(account.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
  await page.waitForURL((to) => !to.pathname.startsWith('/auth'))
  await page.close()
  return context
}

/** A picture of the visible page, or of a part of it, as a small file. */
export async function takePicture(
  page: Page,
  clip?: { x: number; y: number; width: number; height: number },
): Promise<Buffer> {
  // Playwright's own pictures are PNG or JPEG, three times as large.
  const tools = await page.context().newCDPSession(page)
  const { data } = await tools.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 56,
    ...(clip === undefined ? {} : { clip: { ...clip, scale: 1 } }),
  })
  await tools.detach()
  return Buffer.from(data, 'base64')
}
