import { APP_PATHS } from '#core/contract/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { ExampleLead } from './ExampleLead.tsx'

/** Says what the product is, for whom, and what a trial costs. */
export function Hero() {
  return (
    <div className="mx-auto max-w-[1120px] px-4 pt-14 sm:px-6 sm:pt-24">
      <h1 className="max-w-[18ch] text-[2rem] leading-[2.375rem] font-semibold tracking-[-0.022em] text-balance sm:text-2xl sm:leading-[2.875rem]">
        Leads in your CRM the moment they are yours
      </h1>
      <p className="mt-5 max-w-[58ch] text-base text-pretty text-muted sm:text-[1.125rem] sm:leading-[1.75rem]">
        For agents and agencies who buy sales leads, such as final expense insurance. You choose the states,
        the types and how many a day. Leadwire pushes each lead to your own system by webhook, and shows you
        every attempt.
      </p>
      <div className="mt-8 flex flex-wrap gap-3">
        <a href={APP_PATHS.secureSignup} className={`when-signed-out ${buttonClass('primary')}`}>
          Create account
        </a>
        <a href={APP_PATHS.dashboard} className={`when-signed-in ${buttonClass('primary')}`}>
          Go to dashboard
        </a>
        <a href="#template" className={buttonClass('secondary')}>
          Try a template here
        </a>
      </div>
      <p className="mt-4 max-w-[58ch] text-sm text-muted">
        <strong className="font-medium text-ink">Trying it costs nothing</strong>: the account, webhooks and
        test leads are free. After that you pay per lead from a prepaid balance. No contract, pause whenever
        you like.
      </p>
      <ExampleLead />
    </div>
  )
}
