/* SPDX-License-Identifier: MIT */
/*
 * The writer facade: an encoder turns events into bytes, an output brings the
 * bytes to the file. Encoders need not check for errors: these are sticky in the output and checked
 * after every batch.
 */
#include "trace/writer.h"

#include "base/memory.h"
#include "trace/io/output.h"

struct ser_writer {
    const ser_encoder *encoder;
    void *state;
    ser_output *output;
};

ser_status ser_writer_open(ser_writer **result, const char *path, ser_writer_format format,
                           const ser_symbols *symbols, ser_error *error)
{
    ser_output *output;
    *result = NULL;
    ser_status status = ser_output_open(&output, path, error);
    if (status != SER_OK)
        return status;
    ser_writer *writer = ser_alloc(1, sizeof *writer);
    writer->output = output;
    writer->encoder = format == SER_WRITE_NATIVE ? &ser_encoder_native : &ser_encoder_text;
    writer->state = writer->encoder->open(output, symbols);
    *result = writer;
    return SER_OK;
}

ser_status ser_writer_put(ser_writer *writer, const ser_event *events, size_t count,
                          ser_error *error)
{
    writer->encoder->put(writer->state, events, count);
    return ser_output_status(writer->output, error);
}

ser_event *ser_writer_room(ser_writer *writer, size_t *count)
{
    ser_check(writer->encoder->room);
    return writer->encoder->room(writer->state, count);
}

ser_status ser_writer_put_aside(ser_writer *writer, uint8_t kind, const void *bytes, size_t size,
                                ser_error *error)
{
    if (writer->encoder->put_aside)
        writer->encoder->put_aside(writer->state, kind, bytes, size);
    return ser_output_status(writer->output, error);
}

void ser_writer_set_checkpoints(ser_writer *writer, uint64_t events)
{
    if (writer->encoder->set_checkpoints)
        writer->encoder->set_checkpoints(writer->state, events);
}

uint32_t ser_writer_names(const ser_writer *writer, ser_space space)
{
    return writer->encoder->names ? writer->encoder->names(writer->state, space) : 0;
}

ser_status ser_writer_finish(ser_writer *writer, ser_error *error)
{
    writer->encoder->finish(writer->state);
    return ser_output_finish(writer->output, error);
}

void ser_writer_close(ser_writer *writer)
{
    if (!writer)
        return;
    writer->encoder->close(writer->state);
    ser_output_close(writer->output);
    free(writer);
}
