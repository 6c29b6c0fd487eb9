import { eraseDataHeld, findDataHeld } from '#server/leads/admin/data-subjects.ts'
import { defineCommand } from '../command.ts'
import { CHANGE_FLAGS, openOperator, readBy } from '../open-operator.ts'

export const erase = defineCommand({
  usage: '<e-mail | phone>',
  about: [
    'Without --confirm it only shows how much is stored about a person. With it, it erases the person everywhere: every lead with its attempts and files, messages of the contact form, and imported rows; deliveries that were not sent are cancelled. The person is put on the suppression list first. Money and counts stay.',
    'It cannot be undone. A repeat after an interruption continues. Accounts of Leadwire with this address stay; they are only named by their number.',
  ],
  args: [1, 1],
  flags: { confirm: { type: 'boolean', help: 'erases, and needs --as and --reason' }, ...CHANGE_FLAGS },
  run: async ({ values, args: [given = ''], services }) => {
    const context = await openOperator(services)
    if (!values.confirm) {
      const { lead_count, messages, import_rows, accounts, leads } = await findDataHeld(context, given)
      const found = { leads: lead_count, messages, import_rows, accounts: accounts.length }
      return {
        data: { confirmed: false, ...found, lead_ids: leads.map(({ id }) => id) },
        lines: [
          `Would erase ${found.leads} lead(s), ${messages} message(s) and ${import_rows} imported row(s)`,
          ...(found.accounts > 0
            ? [`${found.accounts} account(s) of Leadwire have this address and stay`]
            : []),
          'Nothing was changed. Run it again with --confirm --as E-MAIL --reason TEXT',
        ],
      }
    }
    const { by, reason } = await readBy(context, values, { command: 'erase', needs: 'leads' })
    const erased = await eraseDataHeld(context, by, { contact: given, reason })
    return {
      data: { confirmed: true, ...erased },
      lines: [
        `Erased ${erased.leads} lead(s), ${erased.erased_attempts} attempt(s), ${erased.messages} message(s) and ${erased.import_rows} imported row(s)`,
        `${erased.cancelled_deliveries} waiting deliveries are cancelled; the person is suppressed`,
      ],
    }
  },
})
