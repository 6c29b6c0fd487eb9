import type { CaptchaSettings } from '#core/contract/accounts/auth-settings.ts'

/** The API that the scripts of hCaptcha and Turnstile share. */
export interface CaptchaApi {
  render: (
    container: HTMLElement,
    options: {
      sitekey: string
      theme: 'light' | 'dark'
      callback: (token: string) => void
      'expired-callback': () => void
      'error-callback': () => void
    },
  ) => string
  remove: (widget: string) => void
}

declare global {
  interface Window {
    hcaptcha?: CaptchaApi
    turnstile?: CaptchaApi
    leadwireCaptchaReady?: () => void
  }
}

let loading: Promise<CaptchaApi> | undefined

/** Loads the provider's script once per page; after a failure it can be tried again. */
export function loadCaptcha(settings: CaptchaSettings): Promise<CaptchaApi> {
  loading ??= load(settings).catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

function load({ provider, script_url: scriptUrl }: CaptchaSettings): Promise<CaptchaApi> {
  const { promise, resolve, reject } = Promise.withResolvers<CaptchaApi>()
  window.leadwireCaptchaReady = () => {
    const api = window[provider]
    if (api === undefined) reject(new Error(`The script of ${provider} brought nothing`))
    else resolve(api)
  }
  const url = new URL(scriptUrl)
  url.searchParams.set('render', 'explicit')
  url.searchParams.set('onload', 'leadwireCaptchaReady')
  const script = document.createElement('script')
  script.src = url.href
  script.async = true
  script.addEventListener('error', () => {
    script.remove()
    reject(new Error(`The script of ${provider} could not be loaded`))
  })
  document.head.append(script)
  return promise
}
