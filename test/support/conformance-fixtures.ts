/** What the official suite wants to find behind the address: tools, resources and prompts with names of its own. */
import { setTimeout as wait } from 'node:timers/promises';
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type McpServerFactory,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** One red pixel. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const wav = Buffer.from(
  'RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0@\x1f\0\0@\x1f\0\0\x01\0\b\0data\0\0\0\0',
  'latin1',
).toString('base64');

const text = (said: string) => ({ type: 'text', text: said });
const image = { type: 'image', data: png, mimeType: 'image/png' };
const says = (...content: object[]) => ({ content });
const codec = createRequestStateCodec<{ round: number }>({ key: 'fixtures of the conformance suite' });

const form = (message: string, name: string, type = 'string') =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] } as never,
  });
const sampling = (said: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: said } }],
    maxTokens: 100,
  });
const has = (ctx: ServerContext, ...keys: string[]) =>
  keys.every((key) => inputResponse(ctx.mcpReq.inputResponses, key).kind !== 'missing');
const askName = () => inputRequired({ inputRequests: { user_name: form('What is your name?', 'name') } });

async function confirmed(ctx: ServerContext): Promise<object> {
  if (ctx.mcpReq.requestState() !== undefined && has(ctx, 'confirm')) return says(text('state-ok'));
  const requestState = await codec.mint({ round: 1 }, ctx);
  return inputRequired({ inputRequests: { confirm: form('Please confirm', 'ok', 'boolean') }, requestState });
}

type Handler = (ctx: ServerContext) => object | Promise<object>;

const tools: Record<string, Handler> = {
  test_simple_text: () => says(text('This is a simple text response for testing.')),
  test_image_content: () => says(image),
  test_audio_content: () => says({ type: 'audio', data: wav, mimeType: 'audio/wav' }),
  test_embedded_resource: () =>
    says({
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    }),
  test_multiple_content_types: () =>
    says(text('Multiple content types test:'), image, {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: '{"test":"data","value":123}',
      },
    }),
  test_error_handling: () => ({
    ...says(text('This tool intentionally returns an error for testing')),
    isError: true,
  }),
  async test_tool_with_progress(ctx) {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      await wait(20);
    }
    return says(text('done'));
  },
  async test_logging_tool(ctx) {
    await ctx.mcpReq.log('info', 'working');
    return says(text('logged'));
  },
  test_missing_capability: () => inputRequired({ inputRequests: { q: sampling('What is it?') } }),
  test_streaming_elicitation: (ctx) => (has(ctx, 'user_name') ? says(text('Hello!')) : askName()),
  test_input_required_result_elicitation: (ctx) => (has(ctx, 'user_name') ? says(text('Hello!')) : askName()),
  test_input_required_result_sampling: (ctx) =>
    has(ctx, 'capital_question')
      ? says(text('Paris'))
      : inputRequired({ inputRequests: { capital_question: sampling('What is the capital of France?') } }),
  test_input_required_result_list_roots: (ctx) =>
    has(ctx, 'client_roots')
      ? says(text('roots'))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } }),
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  async test_input_required_result_multiple_inputs(ctx) {
    if (has(ctx, 'user_name', 'greeting', 'client_roots')) return says(text('Hello!'));
    return inputRequired({
      inputRequests: {
        user_name: form('What is your name?', 'name'),
        greeting: sampling('Generate a greeting'),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await codec.mint({ round: 1 }, ctx),
    });
  },
  async test_input_required_result_multi_round(ctx) {
    const { round } = ctx.mcpReq.requestState<{ round: number }>() ?? { round: 0 };
    if (round === 2 && has(ctx, 'step2')) return says(text('done'));
    const [step, question] =
      round === 1
        ? (['step2', form('Color?', 'color')] as const)
        : (['step1', form('Name?', 'name')] as const);
    return inputRequired({
      inputRequests: { [step]: question },
      requestState: await codec.mint({ round: round + 1 }, ctx),
    });
  },
  test_input_required_result_capabilities(ctx) {
    const envelope = ctx.mcpReq.envelope as Record<string, unknown> | undefined;
    const can = (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as Record<string, unknown>;
    const inputRequests = {
      ...(can.elicitation ? { name: form('Name?', 'name') } : {}),
      ...(can.sampling ? { q: sampling('What is it?') } : {}),
      ...(can.roots ? { roots: inputRequired.listRoots() } : {}),
    };
    return Object.keys(inputRequests).length === 0
      ? says(text('nothing to ask'))
      : inputRequired({ inputRequests });
  },
};

const resources: Record<string, object> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: png },
  'test://template/123/data': {
    mimeType: 'application/json',
    text: '{"id":"123","templateTest":true,"data":"Data for ID: 123"}',
  },
};

const user = (content: object) => ({ role: 'user', content });

const prompts: Record<
  string,
  { arguments: string[]; get(given: Record<string, string>, ctx: ServerContext): object }
> = {
  test_simple_prompt: {
    arguments: [],
    get: () => ({ messages: [user(text('This is a simple prompt for testing.'))] }),
  },
  test_prompt_with_arguments: {
    arguments: ['arg1', 'arg2'],
    get: ({ arg1, arg2 }) => ({
      messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    }),
  },
  test_prompt_with_embedded_resource: {
    arguments: ['resourceUri'],
    get: ({ resourceUri }) => ({
      messages: [
        user({
          type: 'resource',
          resource: {
            uri: resourceUri,
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        }),
        user(text('Please process the embedded resource above.')),
      ],
    }),
  },
  test_prompt_with_image: {
    arguments: [],
    get: () => ({ messages: [user(image), user(text('Please analyze the image above.'))] }),
  },
  test_input_required_result_prompt: {
    arguments: [],
    get: (_given, ctx) =>
      has(ctx, 'user_context')
        ? { messages: [user(text('With context.'))] }
        : inputRequired({
            inputRequests: { user_context: form('What context should the prompt use?', 'context') },
          }),
  },
};

export const conformanceFixtures: McpServerFactory = () => {
  const server = new Server(
    { name: 'fixtures', version: '1' },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
      requestState: { verify: codec.verify },
    },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(tools).map((name) => ({
      name,
      description: name,
      inputSchema: { type: 'object' as const },
    })),
  }));
  server.setRequestHandler('tools/call', (async (
    { params }: { params: { name: string } },
    ctx: ServerContext,
  ) => {
    const tool = tools[params.name];
    return tool ? tool(ctx) : { ...says(text('Unknown tool')), isError: true };
  }) as never);
  server.setRequestHandler('resources/list', () => ({
    resources: Object.keys(resources).map((uri) => ({ uri, name: uri })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const found = resources[uri];
    if (!found) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, ...found }] } as never;
  });
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(prompts).map(([name, prompt]) => ({
      name,
      description: name,
      arguments: prompt.arguments.map((one) => ({ name: one, required: true })),
    })),
  }));
  server.setRequestHandler('prompts/get', ((
    { params }: { params: { name: string; arguments?: object } },
    ctx: ServerContext,
  ) => prompts[params.name]?.get((params.arguments ?? {}) as Record<string, string>, ctx)) as never);
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false },
  }));
  return server;
};
