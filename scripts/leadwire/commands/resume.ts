import { defineCommand } from '../command.ts'
import { CHANGE_FLAGS } from '../open-operator.ts'
import { pauseOrResume } from '../pause.ts'

export const resume = defineCommand({
  usage: '<client | webhook | queue | source> <id, e-mail or name>',
  about: [
    'Ends what `leadwire pause` began. Held deliveries go out as fast as their endpoints answer; those of a webhook that was off also include what came meanwhile.',
    'A webhook of a client whose sending is paused stays held until the client is resumed too. A repeat is harmless.',
  ],
  args: [2, 2],
  flags: CHANGE_FLAGS,
  run: (call) => pauseOrResume(call, 'resume'),
})
