import { Check } from 'lucide-react'
import { Link } from 'react-router-dom'
import type { Dashboard } from '#core/contract/market/dashboard.ts'
import { PATHS, settingsPath, webhooksPath } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Card } from '#web/ui/show/Card.tsx'

interface Step {
  isDone: boolean
  title: string
  text: string
  action?: { label: string; to: string }
}

/** What a new client does first, in place of numbers that are all zero. One step at a time has a button. */
export function FirstSteps({ setup }: { setup: Dashboard['setup'] }) {
  const steps = listSteps(setup)
  const next = steps.findIndex(({ isDone }) => !isDone)
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <Card
      title="Your first lead"
      actions={
        <span className="text-xs text-muted tabular">
          {done} of {steps.length} done
        </span>
      }
      flush
    >
      <ol aria-label="Your first lead" className="divide-y divide-line">
        {steps.map((step, index) => (
          <StepLine key={step.title} step={step} number={index + 1} isNext={index === next} />
        ))}
      </ol>
    </Card>
  )
}

function StepLine({ step, number, isNext }: { step: Step; number: number; isNext: boolean }) {
  const { isDone, title, text, action } = step
  return (
    <li
      {...(isNext ? { 'aria-current': 'step' as const } : {})}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3"
    >
      <span
        aria-hidden
        className={
          isDone
            ? 'flex size-6 shrink-0 items-center justify-center rounded-full bg-success-soft text-success'
            : 'flex size-6 shrink-0 items-center justify-center rounded-full border border-line-strong text-xs text-muted tabular'
        }
      >
        {isDone ? <Check className="size-3.5" /> : number}
      </span>
      <div className="min-w-0 flex-1 basis-48">
        <p className={isDone ? 'text-sm text-muted' : 'text-sm font-medium'}>
          {title}
          {isDone && <span className="sr-only"> (done)</span>}
        </p>
        {!isDone && <p className="text-xs text-muted">{text}</p>}
      </div>
      {!isDone && action !== undefined && (
        <Link to={action.to} className={buttonClass(isNext ? 'primary' : 'secondary', 'sm')}>
          {action.label}
        </Link>
      )}
    </li>
  )
}

function listSteps(setup: Dashboard['setup']): Step[] {
  return [
    {
      isDone: setup.webhook,
      title: 'Add a webhook',
      text: 'Say where your leads go: your CRM, dialer or automation tool.',
      action: { label: 'Add a webhook', to: webhooksPath() },
    },
    {
      isDone: setup.delivered,
      title: 'Send yourself a test lead',
      text: '“Run Assignment Test” sends a fictional lead the whole way to your webhook.',
      action: { label: 'Run a test', to: PATHS.clientIntegrations },
    },
    {
      isDone: setup.order,
      title: 'Order leads',
      text: 'Choose what you want to buy: type, states, how many a day and at which hours.',
      action: { label: 'Choose leads', to: PATHS.orders },
    },
    {
      isDone: setup.funds,
      title: 'Add funds',
      text: 'What a lead costs is taken from your balance when it is assigned to you.',
      action: { label: 'Add funds', to: settingsPath('billing') },
    },
    {
      isDone: setup.first_lead,
      title: 'Receive your first lead',
      text: 'It shows here, and is sent to your webhook, the moment it is assigned to you.',
    },
  ]
}
