import type { SitePage } from '../site-page.ts'
import { Hero } from './Hero.tsx'
import { Questions } from './Questions.tsx'
import { Steps } from './Steps.tsx'
import { Playground } from './Playground.tsx'
import { FailedDelivery } from './FailedDelivery.tsx'
import { Promises } from './Promises.tsx'
import { Closing } from './Closing.tsx'

export const homePage: SitePage = {
  path: '/',
  title: 'Leadwire: leads in your CRM the moment they are yours',
  description:
    'Leadwire sells sales leads to agents and agencies with a prepaid balance, and pushes each one to your own CRM by webhook: signed, retried, with every attempt in plain sight.',
  islands: ['playground'],
  render: ({ builtAt }) => (
    <>
      <Hero />
      <Steps />
      <Playground now={new Date(builtAt)} />
      <FailedDelivery />
      <Promises />
      <Questions />
      <Closing />
    </>
  ),
}
