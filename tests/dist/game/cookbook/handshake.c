
enum { SECRET = 99 };

/* What a client gets that greets from an address: a Challenge, or 30 and the reason for a refusal. */
static int greet(uint64_t game_id, bool full, Challenge *challenge)
{
    const Hello hello = {7, game_id};
    uint8_t data[Hello_MAX_BYTES];
    Hello arrived;
    Refused refused;
    size_t sent = Hello_pack(&hello, data, sizeof data);
    if (!Hello_unpack(&arrived, data, sent))
        return -1;
    size_t size = answer(&arrived, SECRET, 1, full, data);
    if (size == 0 || size > sent)
        return -2; /* it amplifies */
    if (Challenge_unpack(challenge, data, size))
        return challenge->client_salt == 7 ? 1 : -3;
    return Refused_unpack(&refused, data, size) && refused.client_salt == 7 ? 30 + (int)refused.reason : -4;
}

int main(void)
{
    Challenge challenge;
    Response response;
    printf("%d, ", greet(shooter_PROTOCOL_ID - 1, true, &challenge));
    printf("%d, ", greet(shooter_PROTOCOL_ID, true, &challenge));
    printf("%d, ", greet(shooter_PROTOCOL_ID, false, &challenge));

    Response_init(&response);
    response.client_salt = 7;
    response.server_salt = challenge.server_salt;
    printf("%d ", admits(&response, SECRET, 2));
    printf("%d ", admits(&response, SECRET, 1));
    response.client_salt++;
    printf("%d\n", admits(&response, SECRET, 1));
    return 0;
}
