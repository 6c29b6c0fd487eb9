import { escapeHtml } from './escape-html.ts'
import type { MailContent } from './mail-content.ts'

/** Mail programs know neither style sheets nor variables, so each element carries its own style. */
const FONT = 'font-family:Inter,system-ui,-apple-system,Segoe UI,sans-serif'
const TEXT = `${FONT};font-size:16px;line-height:24px;color:#2b2a27;margin:0 0 16px`

/** Lays the same content out as text and as HTML. */
export function layOutMail(content: MailContent): { text: string; html: string } {
  return { text: layOutText(content), html: layOutHtml(content) }
}

function layOutText({ title, paragraphs, facts, action, reason, unsubscribeUrl }: MailContent): string {
  return [
    title,
    ...paragraphs,
    ...(facts.length === 0 ? [] : [facts.map(([label, value]) => `${label}: ${value}`).join('\n')]),
    ...(action === undefined ? [] : [`${action.label}: ${action.url}`]),
    `--\nLeadwire. ${reason}${unsubscribeUrl === undefined ? '' : `\nUnsubscribe: ${unsubscribeUrl}`}`,
  ].join('\n\n')
}

function layOutHtml(content: MailContent): string {
  const { subject, title, paragraphs, facts, action, reason, unsubscribeUrl } = content
  const row = ([label, value]: readonly [string, string]): string =>
    `<tr><th scope="row" style="${FONT};font-size:14px;line-height:20px;font-weight:400;color:#5f5c55;text-align:left;vertical-align:top;padding:8px 16px 8px 0;white-space:nowrap;border-top:1px solid #e3e0d9">${escapeHtml(label)}</th>` +
    `<td style="${FONT};font-size:14px;line-height:20px;color:#2b2a27;padding:8px 0;border-top:1px solid #e3e0d9;overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`
  const table =
    facts.length === 0
      ? ''
      : `<table style="border-collapse:collapse;width:100%;margin:0 0 24px">${facts.map(row).join('')}</table>`
  const button =
    action === undefined
      ? ''
      : `<p style="margin:0 0 24px"><a href="${escapeHtml(action.url)}" style="${FONT};font-size:14px;font-weight:600;color:#ffffff;background:#0f5c5c;border-radius:8px;padding:10px 16px;text-decoration:none;display:inline-block">${escapeHtml(action.label)}</a></p>`
  const unsubscribe =
    unsubscribeUrl === undefined
      ? ''
      : ` <a href="${escapeHtml(unsubscribeUrl)}" style="color:#5f5c55">Unsubscribe from these mails</a>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;background:#f8f7f4">
<div style="max-width:560px;margin:0 auto;padding:32px 20px">
<p style="${FONT};font-size:14px;font-weight:600;color:#0f5c5c;margin:0 0 24px">Leadwire</p>
<h1 style="${FONT};font-size:20px;line-height:28px;font-weight:600;color:#2b2a27;margin:0 0 16px">${escapeHtml(title)}</h1>
${paragraphs.map((paragraph) => `<p style="${TEXT}">${escapeHtml(paragraph)}</p>`).join('\n')}
${table}
${button}
<p style="${FONT};font-size:12px;line-height:16px;color:#5f5c55;border-top:1px solid #e3e0d9;padding-top:16px;margin:0">${escapeHtml(reason)}${unsubscribe}</p>
</div>
</body>
</html>
`
}
