import { expect, type Locator, type Page } from '@playwright/test'

/** Opens the configure view of /client-integrations and waits until it is loaded. */
export async function openConfigurations(page: Page): Promise<void> {
  await page.goto('/client-integrations?view=configure')
  await expect(page.getByRole('button', { name: 'Add Webhook' })).toBeVisible()
}

export async function chooseAction(page: Page, webhookName: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${webhookName}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

export async function openLogs(page: Page, webhookName: string): Promise<Locator> {
  await chooseAction(page, webhookName, 'View Logs')
  const dialog = page.getByRole('dialog', { name: 'Delivery Logs' })
  await expect(dialog).toBeVisible()
  return dialog
}

export async function openCreateDialog(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add Webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Webhook Configuration' })
  await expect(dialog).toBeVisible()
  return dialog
}

export async function chooseOption(dialog: Locator, field: string, option: string): Promise<void> {
  await dialog.getByRole('combobox', { name: field }).click()
  await dialog.page().getByRole('option', { name: option, exact: true }).click()
}

/** Opens one of the dialog's closed groups, unless it is open. */
export async function openGroup(dialog: Locator, title: string): Promise<Locator> {
  const group = dialog.getByRole('group', { name: title, exact: true })
  const trigger = group.getByRole('button', { name: title, exact: true })
  if ((await trigger.getAttribute('aria-expanded')) !== 'true') await trigger.click()
  return group
}

/** Leaves the last step of Create, which says what the receiver needs. */
export async function finishCreation(page: Page): Promise<void> {
  const step = page.getByRole('dialog', { name: 'What your receiver needs' })
  await step.getByRole('button', { name: 'Done' }).click()
  await expect(step).toHaveCount(0)
}

/** Returns the template's text in the code editor, without the sentences beside its faults. */
export async function readTemplate(dialog: Locator): Promise<string> {
  const template = dialog.getByRole('textbox', { name: 'Payload Template' })
  const lines = await template.locator('.cm-line').allTextContents()
  const sentences = await template.locator('.cm-sentence').allTextContents()
  return sentences.reduce((text, sentence) => text.replace(sentence, ''), lines.join('\n'))
}

/** Types into a field and presses Escape right afterwards, as on a slow phone. */
export async function typeAndEscape(field: Locator, text: string): Promise<void> {
  await field.focus()
  await field.page().evaluate(`new Promise((resolve) => {
    const field = document.activeElement
    const { port1, port2 } = new MessageChannel()
    // Asked for first, so that it comes before all that the page plans for the input.
    port1.onmessage = () => {
      port1.close()
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
      resolve()
    }
    port2.postMessage(null)
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(text)})
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })`)
}
