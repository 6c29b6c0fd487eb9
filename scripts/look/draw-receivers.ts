import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Locator } from '@playwright/test'
import type { Preset } from '#core/contract/webhooks/presets/preset.ts'
import { PRESETS } from '#core/contract/webhooks/presets/presets.ts'
import type { Account } from '../start/demo-session.ts'
import { signIn, takePicture } from './open-browser.ts'

/** Fictional values for fields that only the client knows. */
const EXAMPLES: Readonly<Record<string, string>> = {
  portalId: '12345678',
  formGuid: '00000000-0000-4000-8000-000000000000',
  oid: '00D000000000000',
  retURL: 'https://example.com/thanks',
  returnURL: 'https://example.com/thanks',
  organization: 'example',
  list_id: '1000',
  brand_id: '1',
  WebLeadID: '1000',
  vendor: 'example',
}

/** Draws the filled-in form of each preset, with a frame around the fields that only the client knows. */
export async function drawReceivers(
  browser: Browser,
  { url, client }: { url: string; client: Account },
  images: string,
): Promise<void> {
  const folder = path.join(images, 'receivers')
  await mkdir(folder, { recursive: true })
  const context = await signIn(browser, url, client)
  const page = await context.newPage()
  await page.setViewportSize({ width: 1280, height: 1100 })
  for (const preset of PRESETS.slice(1)) {
    await page.goto('/client-integrations?view=configure')
    await page.getByRole('button', { name: 'Add Webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create Webhook Configuration' })
    await dialog.getByRole('combobox', { name: 'Start from' }).click()
    await page.getByRole('option', { name: preset.name, exact: true }).click()
    for (const field of await fillIn(dialog, preset)) await frame(field)
    await page.evaluate('document.activeElement.blur()')
    const box = await dialog.boundingBox()
    if (box === null) throw new Error('The form is not there')
    await writeFile(path.join(folder, `${preset.id}.webp`), await takePicture(page, box))
  }
  await context.close()
}

/** @returns the fields that a client fills in */
async function fillIn(dialog: Locator, preset: Preset): Promise<Locator[]> {
  const field = (label: string) => dialog.getByRole('textbox', { name: label, exact: true })
  await field('Webhook Name').fill(`Leads to ${preset.name}`)
  const own: Locator[] = []
  if (preset.endpoint_url === '') {
    own.push(field('Endpoint URL'))
    await field('Endpoint URL').fill(preset.endpoint_example?.replaceAll('…', 'EXAMPLE') ?? '')
  }
  for (const { name, label } of preset.constants) {
    own.push(field(label))
    await field(label).fill(EXAMPLES[name] ?? 'example')
  }
  return own
}

async function frame(field: Locator): Promise<void> {
  const id = JSON.stringify(await field.getAttribute('id'))
  await field.page().evaluate(`{
    const { style } = document.getElementById(${id})
    style.outline = '3px solid oklch(0.62 0.15 60)'
    style.outlineOffset = '2px'
  }`)
}
