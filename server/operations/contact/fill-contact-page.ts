import type { FieldError } from '#core/contract/problem.ts'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/**
 * The page of the form (web/site/contact) as it returns to the sender: with all that was typed, and its
 * faults.
 * @param page as the build made it
 */
export function fillContactPage(
  page: string,
  fields: Readonly<Record<string, unknown>>,
  faults: readonly FieldError[],
): string {
  const valueOf = (name: string) => {
    const value = fields[name]
    return typeof value === 'string' ? escapeHtml(value) : ''
  }
  const wrong = new Set(faults.map(({ path }) => path))
  const mark = (name: string) =>
    wrong.has(name) ? ' aria-invalid="true" aria-describedby="contact-problems"' : ''
  let filled = page.replace('<div id="contact-problems"></div>', () => listFaults(faults))
  for (const name of ['name', 'email'])
    filled = filled.replace(
      new RegExp(`(<input[^>]* name="${name}"[^>]*?)/?>`),
      (_whole, tag: string) => `${tag} value="${valueOf(name)}"${mark(name)}/>`,
    )
  return filled
    .replace(
      /(<textarea[^>]* name="message"[^>]*)>/,
      // The browser drops one line break after the tag.
      (_whole, tag: string) =>
        `${tag}${wrong.has('message') ? ' aria-invalid="true"' : ''}>\n${valueOf('message')}`,
    )
    .replace(`<option value="${valueOf('topic')}"`, (option) => `${option} selected`)
    .replace(/<title>/, () => '<title>Not sent yet: ')
}

function listFaults(faults: readonly FieldError[]): string {
  const items = faults.map(({ path, message }) => {
    const text = escapeHtml(message)
    return path === '' || path === 'captcha'
      ? `<li>${text}</li>`
      : `<li><a href="#contact-${escapeHtml(path)}">${text}</a></li>`
  })
  return `<div id="contact-problems" role="alert"><p>Not sent yet.</p><ul>${items.join('')}</ul></div>`
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
}
