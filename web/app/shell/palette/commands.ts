import type { MemberPermission } from '#core/contract/accounts/member-role.ts'
import { newWebhookPath, PATHS, settingsPath, webhooksPath } from '#web/paths.ts'

export type CommandGroup = 'Go to' | 'Do'

export interface Command {
  label: string
  group: CommandGroup
  /** other words that find the command */
  words?: string
  /** what the person's role in the account must include */
  needs?: MemberPermission
  does: { to: string } | { leaveFor: string } | { theme: 'light' | 'dark' | 'system' } | 'sign_out'
}

const COMMANDS: readonly Command[] = [
  {
    label: 'Dashboard',
    group: 'Go to',
    words: 'home today',
    needs: 'figures',
    does: { to: PATHS.dashboard },
  },
  { label: 'Leads', group: 'Go to', words: 'contacts list', needs: 'leads', does: { to: PATHS.leads } },
  {
    label: 'Do not contact',
    group: 'Go to',
    words: 'revocations consent revoked acknowledge',
    needs: 'leads',
    does: { to: PATHS.doNotContact },
  },
  { label: 'Orders', group: 'Go to', words: 'buy caps states', needs: 'orders', does: { to: PATHS.orders } },
  {
    label: 'Onboarding',
    group: 'Go to',
    words: 'first steps begin',
    needs: 'account',
    does: { to: PATHS.onboarding },
  },
  {
    label: 'Analytics',
    group: 'Go to',
    words: 'figures charts',
    needs: 'figures',
    does: { to: PATHS.analytics },
  },
  {
    label: 'Enterprise dashboard',
    group: 'Go to',
    words: 'endpoints people exceptions pace performance',
    needs: 'figures',
    does: { to: PATHS.enterpriseDashboard },
  },
  {
    label: 'Integrations',
    group: 'Go to',
    words: 'assignment test',
    needs: 'webhooks',
    does: { to: PATHS.clientIntegrations },
  },
  {
    label: 'Webhooks',
    group: 'Go to',
    words: 'configure logs endpoints',
    needs: 'webhooks',
    does: { to: webhooksPath() },
  },
  { label: 'Profile', group: 'Go to', words: 'settings name email', does: { to: settingsPath('profile') } },
  {
    label: 'Security',
    group: 'Go to',
    words: 'settings password second factor sessions recovery codes',
    does: { to: settingsPath('security') },
  },
  {
    label: 'Team',
    group: 'Go to',
    words: 'settings people invite roles hand over',
    does: { to: settingsPath('team') },
  },
  {
    label: 'Billing',
    group: 'Go to',
    words: 'settings balance funds payments ledger',
    needs: 'money',
    does: { to: settingsPath('billing') },
  },
  {
    label: 'Notifications',
    group: 'Go to',
    words: 'settings mails',
    does: { to: settingsPath('notifications') },
  },
  {
    label: 'Appearance',
    group: 'Go to',
    words: 'settings theme text size zoom',
    does: { to: settingsPath('appearance') },
  },
  { label: 'Help', group: 'Go to', words: 'questions answers', does: { to: PATHS.help } },
  {
    label: 'Create webhook',
    group: 'Do',
    words: 'add new endpoint',
    needs: 'webhooks',
    does: { to: newWebhookPath() },
  },
  { label: 'Light theme', group: 'Do', words: 'appearance', does: { theme: 'light' } },
  { label: 'Dark theme', group: 'Do', words: 'appearance night', does: { theme: 'dark' } },
  { label: 'System theme', group: 'Do', words: 'appearance', does: { theme: 'system' } },
  { label: 'Sign Out', group: 'Do', words: 'log out leave', does: 'sign_out' },
]

const FOR_ADMINISTRATORS: readonly Command[] = [
  { label: 'Administration', group: 'Go to', words: 'admin', does: { to: PATHS.admin } },
  {
    label: 'Queue dashboard',
    group: 'Go to',
    words: 'admin jobs redis',
    does: { leaveFor: '/admin/queues' },
  },
]

/**
 * Finds commands in which every typed word begins a word. Within a group, names that begin with the text come
 * first.
 * @param text an empty text finds all
 * @param may whether the person's role in the account includes a permission
 */
export function findCommands(
  text: string,
  isAdmin: boolean,
  may: (permission: MemberPermission) => boolean,
): Command[] {
  const wanted = text.trim().toLowerCase().split(/\s+/).filter(Boolean)
  const own = COMMANDS.filter(({ needs }) => needs === undefined || may(needs))
  const all = isAdmin ? [...FOR_ADMINISTRATORS, ...own.filter(({ label }) => label !== 'Team')] : own
  const isNamed = ({ label }: Command) => label.toLowerCase().startsWith(wanted.join(' '))
  return all
    .filter(({ label, words = '' }) => {
      const known = `${label} ${words}`.toLowerCase().split(' ')
      return wanted.every((one) => known.some((word) => word.startsWith(one)))
    })
    .toSorted((a, b) => rank(a.group) - rank(b.group) || Number(isNamed(b)) - Number(isNamed(a)))
}

function rank(group: CommandGroup) {
  return group === 'Go to' ? 0 : 1
}
