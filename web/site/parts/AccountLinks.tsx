import { APP_PATHS } from '#core/contract/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'

/** Links to the product: a new account for a stranger, the integrations for a signed-in user. */
export function AccountLinks() {
  return (
    <>
      <a href={APP_PATHS.secureSignup} className={`when-signed-out ${buttonClass('primary')}`}>
        Create account
      </a>
      <a href={APP_PATHS.clientIntegrations} className={`when-signed-in ${buttonClass('primary')}`}>
        Open Integrations
      </a>
    </>
  )
}
