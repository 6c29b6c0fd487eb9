import { escapeHtml } from '#core/mail/escape-html.ts'
import type { KeptMail } from '#core/mail/kept-mail.ts'

/** The list of all mails. */
export function renderMailbox(mails: readonly KeptMail[]): string {
  const list = mails
    .map(
      ({ id, at, to, subject }) =>
        `<li><a href="/dev/mailbox/${id}"><b>${escapeHtml(subject)}</b><span>${escapeHtml(to)}</span>${moment(at)}</a></li>`,
    )
    .join('\n')
  const empty = '<p class="empty">No mail yet. What Leadwire would send appears here.</p>'
  return page('Mailbox', mails.length === 0 ? empty : `<ul>\n${list}\n</ul>`)
}

/** One mail: as HTML in a sandboxed frame, and as text. */
export function renderMailPage({ id, at, to, subject, text }: KeptMail): string {
  return page(
    subject,
    `<p><a href="/dev/mailbox">All mails</a></p>
<dl><dt>To</dt><dd>${escapeHtml(to)}</dd><dt>Queued</dt><dd>${moment(at)}</dd><dt>Source</dt><dd><a href="/dev/mailbox/${id}.eml">${id}.eml</a></dd></dl>
<iframe title="The mail as HTML" sandbox src="/dev/mailbox/${id}/html"></iframe>
<h2>As text</h2>
<pre tabindex="0">${escapeHtml(text)}</pre>`,
  )
}

export const MAILBOX_STYLE = `:root{color-scheme:light dark;font:14px/20px system-ui,sans-serif}
body{max-width:760px;margin:0 auto;padding:24px 16px}
h1{font-size:20px;line-height:28px}h2{font-size:14px}
ul{list-style:none;margin:0;padding:0}
li{border-top:1px solid color-mix(in srgb,currentcolor 18%,transparent)}
li a{display:flex;flex-wrap:wrap;gap:2px 16px;padding:10px 0;color:inherit;text-decoration:none}
li b{flex:1 1 280px;overflow-wrap:anywhere}
li a:hover b{text-decoration:underline}
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px}dd{margin:0;overflow-wrap:anywhere}
iframe{width:100%;height:640px;border:1px solid color-mix(in srgb,currentcolor 18%,transparent);border-radius:8px;background:#fff;color-scheme:light}
pre{white-space:pre-wrap;overflow-wrap:anywhere}
`

function page(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Leadwire</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/dev/mailbox/style.css">
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${main}
</main>
</body>
</html>
`
}

function moment(at: string): string {
  return `<time datetime="${escapeHtml(at)}">${escapeHtml(at.slice(0, 19).replace('T', ' '))} UTC</time>`
}
