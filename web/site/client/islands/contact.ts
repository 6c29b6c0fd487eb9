import { loadCaptcha } from '#web/session/captcha/load-captcha.ts'
import { readSession } from '../read-session.ts'
import type { CaptchaSettings } from '#core/contract/accounts/auth-settings.ts'

/**
 * Fills in what the link brought: the topic, or the reference of a sent message. The form works without a
 * script.
 */
const asked = new URLSearchParams(location.search)

const topic = document.querySelector<HTMLSelectElement>('#contact-topic')
const wanted = asked.get('topic')
if (topic !== null && [...topic.options].some(({ value }) => value === wanted)) topic.value = wanted ?? ''

/** A signed-in user need not type the address. */
const email = document.querySelector<HTMLInputElement>('#contact-email')
if (email?.value === '') email.value = readSession()?.email ?? ''

const reference = document.querySelector<HTMLElement>('#contact-reference')
const given = asked.get('reference') ?? ''
if (reference !== null && /^LW-[0-9A-Z]{6}$/.test(given)) {
  const place = reference.querySelector('strong')
  if (place !== null) place.textContent = given
  reference.hidden = false
}

const place = document.querySelector<HTMLElement>('#contact-captcha')
if (place !== null) showCaptcha(place).catch(() => sayFailure(place))

/** Adds the captcha that this installation requires; its token is sent with the form. */
async function showCaptcha(place: HTMLElement) {
  const service = document.querySelector<HTMLMetaElement>('meta[name="leadwire-auth"]')?.content ?? ''
  const answer = await fetch(`${service}/settings`, { headers: { accept: 'application/json' } })
  const { captcha } = (await answer.json()) as { captcha: CaptchaSettings | null }
  if (captcha === null) return
  const proof = document.createElement('input')
  proof.type = 'hidden'
  proof.name = 'captcha_token'
  const widget = document.createElement('div')
  place.append(proof, widget)
  const api = await loadCaptcha(captcha)
  const isDark =
    document.documentElement.dataset['theme'] ?? matchMedia('(prefers-color-scheme: dark)').matches
  api.render(widget, {
    sitekey: captcha.site_key,
    theme: isDark === true || isDark === 'dark' ? 'dark' : 'light',
    callback: (token) => (proof.value = token),
    'expired-callback': () => (proof.value = ''),
    'error-callback': () => (proof.value = ''),
  })
}

/** Without the captcha the server would refuse the form, so we say what is wrong. */
function sayFailure(place: HTMLElement) {
  const words = document.createElement('p')
  words.setAttribute('role', 'alert')
  words.className = 'text-sm text-failure'
  words.textContent =
    'The check that you are human could not be loaded, and the form is not taken without it. A blocker of scripts may keep it away. Load this page again to try once more.'
  place.replaceChildren(words)
}
