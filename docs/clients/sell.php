<?php
declare(strict_types=1);

/** The API refused a call. `apiCode` says why, `errors` which fields are wrong; `key` is the call's Idempotency-Key. */
final class Refused extends RuntimeException
{
    public readonly string $apiCode;
    public readonly ?string $param;
    public readonly string $requestId;
    public readonly array $errors;

    public function __construct(array $error, public readonly string $key)
    {
        [$this->apiCode, $this->requestId] = [$error['code'], $error['request_id']];
        [$this->param, $this->errors] = [$error['param'] ?? null, $error['errors'] ?? []];
        $fields = array_map(fn(array $one) => " {$one['param']}: {$one['message']}", $this->errors);
        parent::__construct($error['message'] . implode('', $fields));
    }
}

/** No answer of the API came, and the call may have been done. Send it again with the same `key`. */
final class NoAnswer extends RuntimeException
{
    public function __construct(string $message, public readonly string $key)
    {
        parent::__construct($message);
    }
}

// These say that nothing was done.
const AGAIN = ['rate_limit_exceeded', 'company_share_exceeded', 'resource_locked', 'request_timeout'];
// After these nobody knows whether it was done; 0 is no answer.
const UNKNOWN = [0, 500, 502, 503, 504];
const PAUSE_MAX_SECONDS = 60;

/** The status, the headers, and the JSON object of the answer: null when there is none. */
function send(string $url, array $options): array
{
    $stream = @fopen($url, 'r', false, stream_context_create(['http' => $options]));
    if ($stream === false) {
        return [0, [], null];
    }
    $lines = stream_get_meta_data($stream)['wrapper_data'];
    $text = (string) stream_get_contents($stream);
    $headers = [];
    foreach (array_slice($lines, 1) as $header) {
        [$name, $value] = explode(':', $header, 2) + [1 => ''];
        $headers[strtolower($name)] = trim($value);
    }
    // The line ended before the answer did.
    if (strlen($text) < (int) ($headers['content-length'] ?? 0)) {
        return [0, [], null];
    }
    $answer = json_decode($text, true);
    return [(int) explode(' ', $lines[0])[1], $headers, is_array($answer) ? $answer : null];
}

/** Retry-After is a number of seconds or a date. One that cannot be read counts as absent. */
function seconds(?string $retryAfter, float $usual): float
{
    if ($retryAfter === null || ctype_digit($retryAfter)) {
        return (float) ($retryAfter ?? $usual);
    }
    $at = strtotime($retryAfter);
    return $at === false ? $usual : (float) max(0, $at - time());
}

/** Calls the API. A repetition has the same key, so that the service does it once: keep your own with what you do. */
function call(string $method, string $path, ?array $body = null, ?string $key = null, int $attempts = 5): array
{
    $key ??= bin2hex(random_bytes(16));
    $url = (getenv('FOLIO_URL') ?: 'http://127.0.0.1:3000') . $path;
    $headers = ['Authorization: Bearer ' . getenv('FOLIO_API_KEY'), 'Service-Version: 2026-10-01'];
    if ($method !== 'GET') {
        array_push($headers, "Idempotency-Key: $key", 'Content-Type: application/json');
    }
    $options = ['method' => $method, 'header' => $headers, 'timeout' => 60, 'ignore_errors' => true];
    // A redirect would send the API key elsewhere, and make a change a read.
    $options['follow_location'] = 0;
    if ($body !== null) {
        // PHP would write an empty object as a list. Within a body, write one as new stdClass().
        $options['content'] = json_encode($body ?: new stdClass(), JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION);
    }
    for ($attempt = 1; ; $attempt++) {
        [$status, $told, $answer] = send($url, $options);
        if ($status >= 200 && $status < 300 && $answer !== null) {
            return $answer;
        }
        if ($status >= 300 && $status < 400) {
            throw new NoAnswer("$status leads elsewhere: " . ($told['location'] ?? ''), $key);
        }
        $error = $answer['error'] ?? null;
        $isRefused = isset($error['code'], $error['message'], $error['request_id']);
        $isAgain = $isRefused ? in_array($error['code'], AGAIN, true) : $status === 429;
        $pause = seconds($told['retry-after'] ?? null, 0.25 * 2 ** ($attempt - 1));
        if (!$isAgain && !in_array($status, UNKNOWN, true) || $attempt === $attempts || $pause > PAUSE_MAX_SECONDS) {
            $why = $status === 0 ? "no answer from $url" : "$status is not of the API";
            throw $isRefused ? new Refused($error, $key) : new NoAnswer($why, $key);
        }
        usleep((int) ($pause * 1_000_000));
    }
}

/** Sells once, however often it is called. */
function sell(string $order): string
{
    $line = ['description' => 'Menú del día', 'quantity' => 2, 'unit_price' => 13.5, 'tax_rate' => 10];
    $invoice = ['type' => 'F2', 'external_id' => $order, 'lines' => [$line], 'options' => ['issue' => true]];
    $made = call('POST', '/v1/invoices', $invoice);
    return "{$made['data']['number']} {$made['data']['total']}";
}
