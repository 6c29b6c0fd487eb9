/** Paths under the dashboard's, which its library does not use. */
export const BANNER_PATHS = { script: '/leadwire/banner.js', problems: '/leadwire/problems' } as const

/**
 * A strip at the foot of each page of the dashboard: what is wrong, read again every five seconds, and the way to the
 * place where actions ask for a reason. The library has no place for it, so it stands outside the library's own root.
 */
const BANNER = `<div id="leadwire-banner" role="status"><span></span> <a href="/admin/deliveries">Deliveries in Administration: actions with a reason</a></div>
<style>
#leadwire-banner{position:fixed;inset:auto 0 0 0;z-index:200;padding:8px 16px;font:14px/20px system-ui,sans-serif;background:#1f2933;color:#f5f7fa;border-top:1px solid #52606d}
#leadwire-banner[data-tone=severe]{background:#7b1d1d}
#leadwire-banner[data-tone=some]{background:#6b4a00}
#leadwire-banner a{color:inherit;text-decoration:underline;white-space:nowrap}
body{padding-bottom:64px}
</style>
<script defer src="leadwire/banner.js"></script>`

/** Reads the problems with the cookie of the page. An ended session is said by the library's own requests. */
export const BANNER_SCRIPT = `const strip = document.getElementById('leadwire-banner')
const words = strip.querySelector('span')
async function read() {
  const answer = await fetch('leadwire/problems').catch(() => undefined)
  if (answer === undefined || !answer.ok) {
    strip.dataset.tone = 'some'
    words.textContent = 'What is wrong cannot be read now. Open the queue dashboard again.'
  } else {
    const { problems, age } = await answer.json()
    strip.dataset.tone = problems.length === 0 ? 'none' : problems.some((one) => one.is_severe) ? 'severe' : 'some'
    words.textContent = problems.length === 0 ? 'Nothing is wrong.' : problems.map((one) => one.sentence).join(' ')
    if (age > 1) words.textContent += ' Counted ' + age + ' s ago.'
  }
  setTimeout(read, 5000)
}
read()
`

/** Adds the strip to a page of the dashboard. */
export function addBanner(page: string): string {
  return page.replace('</body>', `${BANNER}</body>`)
}
