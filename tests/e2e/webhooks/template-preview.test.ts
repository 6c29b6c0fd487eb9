import { DESK, PHONE } from '#tests/support/browser/any-size.ts'
import { expect, test, toast } from '#tests/support/browser/browser.ts'
import {
  chooseOption,
  openConfigurations,
  openCreateDialog,
  openGroup,
  readTemplate,
} from '#tests/support/browser/integrations-page.ts'

test('the template editor completes, marks and corrects beside its preview', async ({ page }) => {
  const chunks = new Set<string>()
  page.on('request', (request) => {
    if (/CodeEditor/.test(request.url())) chunks.add(request.url())
  })
  const slowLine = Promise.withResolvers<void>()
  await page.route(/CodeEditor/, async (route) => {
    await slowLine.promise
    await route.continue()
  })
  await openConfigurations(page)
  const dialog = await openCreateDialog(page)
  const template = dialog.getByRole('textbox', { name: 'Payload Template' })
  const rendered = dialog.getByRole('region', { name: 'Rendered body' })
  await test.step('the editor loads when its group opens', async () => {
    await expect(dialog.getByRole('textbox', { name: 'Webhook Name' })).toBeFocused()
    expect(chunks.size).toBe(0)
    await openGroup(dialog, 'Advanced options')
    await dialog.getByRole('combobox', { name: 'Insert a placeholder or a format' }).fill('phone_form')
    await page.keyboard.press('Enter')
    await expect(template).toHaveCount(0)
    slowLine.resolve()
    await expect.poll(() => readTemplate(dialog)).toContain('{{phone_formatted}}')
    await expect(template).toHaveAccessibleDescription(/JSON, sent as it stands/)
    await expect(template.locator('.cm-placeholder-name', { hasText: '{{id}}' })).toBeVisible()
    expect(chunks.size).toBe(1)
  })
  await test.step('the preview renders, and an unknown placeholder is corrected (check 19)', async () => {
    await template.fill(
      '{"id": "{{id}}", "who": "Lead {{nmae}}", "sum": "{{coverage_amount}}", "test": "{{is_test}}"}',
    )
    await expect(dialog.getByRole('status').filter({ hasText: 'Did you mean {{name}}?' })).toBeVisible()
    await expect(template.locator('.cm-sentence')).toContainText('Did you mean {{name}}?')
    await dialog.getByRole('button', { name: 'Replace' }).press('Enter')
    await expect.poll(() => readTemplate(dialog)).toContain('Lead {{name}}')
    await expect(template.locator('.cm-sentence')).toHaveCount(0)
    // The button is gone, so the focus moves to the text.
    await expect(template).toBeFocused()
    const body = JSON.parse(await rendered.innerText()) as Record<string, unknown>
    expect(body['who']).toMatch(/^Lead \S+/)
    expect(body['sum']).toEqual(expect.any(Number))
    expect(body['test']).toBe(true)
  })
  await test.step('two braces offer every placeholder with its sample, and explain the selected one', async () => {
    await template.fill('{"tel": ""}')
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.type('{{phone_f')
    const option = page.getByRole('option', { name: '{{phone_formatted}}' })
    await expect(option).toContainText('(202) 555-0143')
    const meaning = page.locator('.cm-completionInfo')
    await expect(meaning).toHaveText(/^Phone as people write it/)
    for (const size of [PHONE, DESK]) {
      await page.setViewportSize(size)
      // On a phone the content above is higher, so the template may be out of view.
      await template.scrollIntoViewIfNeeded()
      await expect(meaning).toBeInViewport({ ratio: 0.9 })
      await option.click({ trial: true })
    }
    await page.keyboard.press('Escape')
    await expect(option).toHaveCount(0)
    await expect(dialog).toBeVisible()
    await page.keyboard.type('o')
    await expect(option).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    await expect.poll(() => readTemplate(dialog)).toBe('{"tel": "{{phone_formatted}}"}')
    await expect(rendered).toContainText('(202) 555-0143')
    await template.fill('')
    await page.keyboard.type('{{na')
    await expect(page.getByRole('option').first()).toHaveText(/^\{\{name\}\}/)
    await page.keyboard.press('Escape')
    await template.fill('')
    await page.keyboard.type('{{pho')
    await expect(page.getByRole('option').first()).toHaveText(/^\{\{phone\}\}/)
    await page.keyboard.press('Escape')
    await template.fill('{{na')
  })
  await test.step('a bar after a name offers the formats of its value, and the palette inserts one', async () => {
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.type(' | das')
    const option = page.getByRole('option', { name: 'phone: dashed' })
    await expect(option).toHaveCount(0)
    await template.fill('{"tel": "{{phone}}"}')
    await page.keyboard.press('End')
    for (const _back of '"}}}') await page.keyboard.press('ArrowLeft')
    await page.keyboard.type(' | das')
    await expect(option).toContainText('202-555-0143')
    await expect(page.locator('.cm-completionInfo')).toHaveText('With dashes')
    await page.keyboard.press('Enter')
    await expect.poll(() => readTemplate(dialog)).toBe('{"tel": "{{phone | phone: dashed}}"}')
    await expect(rendered).toContainText('202-555-0143')
    await dialog.getByRole('combobox', { name: 'Insert a placeholder or a format' }).fill('in upper case')
    await page.keyboard.press('Enter')
    await expect.poll(() => readTemplate(dialog)).toBe('{"tel": "{{phone | phone: dashed | upper}}"}')
  })
  await test.step('an unclosed placeholder is marked in the text while it exists', async () => {
    await template.fill('{"tel": "{{phone}"}')
    await expect(template.locator('.cm-sentence')).toContainText('Placeholder not closed')
    await expect(template.locator('.cm-fault')).toHaveText('{{phone}')
    await template.fill('{"tel": "{{phone}}"}')
    await expect(template.locator('.cm-sentence')).toHaveCount(0)
    await expect(dialog.getByText(/Placeholder not closed/)).toHaveCount(0)
  })
  await test.step('a refused save opens the group and scrolls to the error', async () => {
    await dialog.getByRole('textbox', { name: 'Webhook Name' }).fill('Edited CRM')
    await dialog.getByRole('textbox', { name: 'Endpoint URL' }).fill('http://127.0.0.1:4999/edited')
    await template.fill('{"tel": "{{phone}}",}')
    await dialog.getByRole('button', { name: 'Advanced options' }).click()
    await expect(template).toHaveCount(0)
    await page.keyboard.press('Control+Enter')
    await expect(toast(page, 'Invalid JSON in payload template or custom headers')).toBeVisible()
    await expect(template.locator('.cm-fault-error')).toBeInViewport()
    await expect(template).toBeFocused()
    await expect(template).toHaveAccessibleDescription(/Line 1, column 21/)
  })
  await test.step('a plain text field can be chosen, and the choice is remembered', async () => {
    await dialog.getByRole('button', { name: 'Use plain text' }).click()
    await expect(template).toHaveValue('{"tel": "{{phone}}",}')
    await template.fill('{"tel": "{{phone}}"}')
    await page.reload()
    await openCreateDialog(page)
    await openGroup(dialog, 'Advanced options')
    await expect(template).toHaveValue(/"lead_id": "\{\{id\}\}"/)
    await dialog.getByRole('button', { name: 'Use the code editor' }).click()
    await expect(template.locator('.cm-line').first()).toBeVisible()
  })
  await test.step('the explanations follow the format', async () => {
    await chooseOption(dialog, 'Payload Format', 'Form Data')
    await expect(template).toHaveAccessibleDescription(/sent as a form field/)
    await expect(dialog.getByText(/POST · application\/x-www-form-urlencoded · \d+ B/)).toBeVisible()
    await expect(rendered).toContainText('state=CA')
  })
})
